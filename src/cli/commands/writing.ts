/** The commands that change the cluster. */
import type { Command } from '../command/command.ts';
import { apply } from './apply.ts';
import { certificate } from './certificate.ts';
import { cordon, uncordon } from './cordon.ts';
import { createWith } from './create.ts';
import { remove } from './delete.ts';
import { alpha, debug } from './debug/index.ts';
import { diff } from './diff.ts';
import { drain } from './drain.ts';
import { edit } from './edit.ts';
import { autoscale, expose } from './expose.ts';
import { generators } from './generators/index.ts';
import { annotate, label } from './label.ts';
import { patch } from './patch.ts';
import { replace } from './replace.ts';
import { rollout } from './rollout/index.ts';
import { runPod } from './run.ts';
import { scale } from './scale.ts';
import { set } from './set/index.ts';
import { taint } from './taint.ts';

export const writing: readonly Command[] = [
  ...[createWith(generators), apply, diff, edit, replace, remove, patch, label, annotate, set, scale, rollout],
  ...[runPod, expose, autoscale, certificate],
  ...[cordon, uncordon, drain, taint, debug, alpha],
];
