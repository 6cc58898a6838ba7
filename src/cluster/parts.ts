/** All parts that are loaded on first use (`std/part.ts`); each module lists its own. */
import { admissionParts } from '../admission/index.ts';
import { apiServerParts } from '../apiserver/index.ts';
import { authenticationParts } from '../authn/index.ts';
import { accessAnswers, optionalModules, refusalProofs } from '../authz/index.ts';
import { connecting } from '../client/index.ts';
import { controllerParts } from '../controllers/index.ts';
import { nodeParts } from '../node/index.ts';
import { schedulerParts } from '../scheduler/index.ts';
import { parts as schema } from '../schema/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import { storageParts } from '../storage/index.ts';
import { gatheredMany } from './gathered.ts';
import { optionalParts } from './optional.ts';
import { outside } from './surroundings.ts';

/** Code for servers that share a storage; most clusters have one server. */
export const sharedWork = new Part(() => import('./elected.ts'));

/** A second server in the same process, used by a lesson. */
export const secondServers = new Part(() => import('./secondServer.ts'));

/** Certificates for hosts. */
export const serving = new Part(() => import('./serving.ts'));

export const programParts: readonly Loadable[] = [
  ...schema.schemaParts,
  ...storageParts,
  ...authenticationParts,
  optionalModules,
  accessAnswers,
  refusalProofs,
  ...admissionParts,
  ...apiServerParts,
  ...controllerParts,
  ...schedulerParts,
  ...nodeParts,
  ...optionalParts,
  outside,
  gatheredMany,
  serving,
  connecting,
  sharedWork,
  secondServers,
];
