/**
 * What can be done with an object: the one list. Menus, the commands that do the same and the questions whether somebody may
 * follow from it. To add an action, add it here.
 */
import {
  CirclePause,
  CirclePlay,
  Globe,
  RotateCw,
  Scaling,
  ScrollText,
  ShieldCheck,
  ShieldX,
  SquareTerminal,
  Stamp,
  Trash2,
  TriangleAlert,
  Undo2,
  Unplug,
  type LucideIcon,
} from 'lucide-preact';
import type { ApiObject } from '../../../../schema/index.ts';
import { faultsFor, initialValue } from '../../../../faults/index.ts';
import { asList, asNumber, at } from '../../../stores/jsonValues.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import { perform } from '../../../stores/writes.ts';
import { openBrowser } from '../../browse/opened.ts';
import { openLogs } from '../../logs/docked.ts';
import { containersOf, logTargetOf } from '../../logs/sources.ts';
import { openShell } from '../../shells/opened.ts';
import { cordon, pausing, restarting, undoing } from './changes.ts';
import {
  commandLine,
  commandName,
  deleteCommand,
  drainCommand,
  faultCommand,
  scaleCommand,
  taintCommand,
  type CommandPlace,
} from './commands.ts';

/** What asks for more before anything is done. */
export type Asking = 'scale' | 'delete' | 'break' | 'drain' | 'taint';

export interface Doing {
  readonly target: ObjectRef;
  readonly object: ApiObject;
}

export interface ObjectAction {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly section: 'look' | 'change' | 'end';
  readonly danger?: boolean;
  /** Whether there is such a thing for this object. */
  readonly fits: (doing: Doing) => boolean;
  /** Why it can't be done at the moment. */
  readonly unavailable?: (doing: Doing) => string | undefined;
  /** What the server is asked for, so that it can be told beforehand who may not. */
  readonly wish?: { readonly verb: string; readonly subresource?: string };
  /** The command lines that do the same. */
  readonly commands: (place: CommandPlace, doing: Doing) => readonly string[];
  /** What it does at once, or what asks for more. */
  readonly start: Asking | ((doing: Doing) => unknown);
}

const isKind =
  (...kinds: readonly string[]) =>
  ({ object }: Doing): boolean =>
    kinds.includes(object.kind ?? '');

const nameOf = ({ target }: Doing): string => commandName(target);
const isRunning = ({ object }: Doing): boolean => at(object, 'status', 'phase') === 'Running';
const isPaused = ({ object }: Doing): boolean => at(object, 'spec', 'paused') === true;
const isCordoned = ({ object }: Doing): boolean => at(object, 'spec', 'unschedulable') === true;
const replicasOf = ({ object }: Doing): number => asNumber(at(object, 'spec', 'replicas')) ?? 1;

/** The first port that a pod's containers or a service declare; 80 where they declare none. */
export function firstPort(object: ApiObject): number {
  const containers = asList(at(object, 'spec', 'containers'));
  const declared = containers.flatMap((each) => asList(at(each, 'ports')).map((port) => at(port, 'containerPort')));
  const ports = [...declared, ...asList(at(object, 'spec', 'ports')).map((port) => at(port, 'port'))];
  return asNumber(ports[0]) ?? 80;
}

const ROLLED_OUT = ['Deployment', 'StatefulSet', 'DaemonSet'];

export const objectActions: readonly ObjectAction[] = [
  {
    id: 'logs',
    label: 'Logs',
    icon: ScrollText,
    section: 'look',
    fits: ({ object }) => logTargetOf(object) !== undefined,
    commands: (place, doing) => {
      const selector = logTargetOf(doing.object)?.labelSelector;
      const whose = selector === undefined ? [doing.target.name] : ['-l', selector, '--prefix'];
      return [commandLine(place, 'logs', '-f', ...whose, '--all-containers')];
    },
    start: ({ object }) => {
      const target = logTargetOf(object);
      if (target) openLogs(target);
    },
  },
  {
    id: 'shell',
    label: 'Shell',
    icon: SquareTerminal,
    section: 'look',
    fits: isKind('Pod'),
    unavailable: (doing) => (isRunning(doing) ? undefined : 'The pod does not run.'),
    wish: { verb: 'create', subresource: 'exec' },
    commands: (place, { target }) => [commandLine(place, 'exec', '-it', target.name, '--', 'sh')],
    start: ({ object, target: { namespace, name } }) =>
      openShell({ namespace, pod: name, container: containersOf(object)[0] }, containersOf(object)),
  },
  {
    id: 'browse',
    label: 'Browse',
    icon: Globe,
    section: 'look',
    fits: isKind('Pod', 'Service'),
    unavailable: (doing) => (doing.object.kind === 'Service' || isRunning(doing) ? undefined : 'The pod does not run.'),
    wish: { verb: 'get', subresource: 'proxy' },
    commands: (place, doing) => [commandLine(place, 'port-forward', nameOf(doing), `8080:${firstPort(doing.object)}`)],
    start: ({ object, target: { resource, namespace, name } }) =>
      openBrowser({
        kind: resource.resource === 'services' ? 'services' : 'pods',
        namespace,
        name,
        port: firstPort(object),
      }),
  },
  {
    id: 'scale',
    label: 'Scale',
    icon: Scaling,
    section: 'change',
    fits: ({ target }) => target.resource.subresources.includes('scale'),
    wish: { verb: 'patch', subresource: 'scale' },
    commands: (place, doing) => [scaleCommand(doing.target, replicasOf(doing), place)],
    start: 'scale',
  },
  {
    id: 'restart',
    label: 'Restart the roll-out',
    icon: RotateCw,
    section: 'change',
    fits: isKind(...ROLLED_OUT),
    unavailable: (doing) => (isPaused(doing) ? 'The roll-out is paused.' : undefined),
    wish: { verb: 'patch' },
    commands: (place, doing) => [commandLine(place, 'rollout', 'restart', nameOf(doing))],
    start: ({ target }) => perform(restarting(target)),
  },
  {
    id: 'undo',
    label: 'Undo the last roll-out',
    icon: Undo2,
    section: 'change',
    fits: isKind('Deployment'),
    unavailable: (doing) => (isPaused(doing) ? 'The roll-out is paused.' : undefined),
    wish: { verb: 'patch' },
    commands: (place, doing) => [commandLine(place, 'rollout', 'undo', nameOf(doing))],
    start: ({ target }) => perform(undoing(target)),
  },
  {
    id: 'pause',
    label: 'Pause the roll-out',
    icon: CirclePause,
    section: 'change',
    fits: (doing) => isKind('Deployment')(doing) && !isPaused(doing),
    wish: { verb: 'patch' },
    commands: (place, doing) => [commandLine(place, 'rollout', 'pause', nameOf(doing))],
    start: ({ target }) => perform(pausing(target, false)),
  },
  {
    id: 'resume',
    label: 'Resume the roll-out',
    icon: CirclePlay,
    section: 'change',
    fits: (doing) => isKind('Deployment')(doing) && isPaused(doing),
    wish: { verb: 'patch' },
    commands: (place, doing) => [commandLine(place, 'rollout', 'resume', nameOf(doing))],
    start: ({ target }) => perform(pausing(target, true)),
  },
  {
    id: 'cordon',
    label: 'Cordon',
    icon: CirclePause,
    section: 'change',
    fits: (doing) => isKind('Node')(doing) && !isCordoned(doing),
    wish: { verb: 'patch' },
    commands: (place, { target }) => [commandLine(place, 'cordon', target.name)],
    start: ({ target }) => cordon(target, true),
  },
  {
    id: 'uncordon',
    label: 'Uncordon',
    icon: CirclePlay,
    section: 'change',
    fits: (doing) => isKind('Node')(doing) && isCordoned(doing),
    wish: { verb: 'patch' },
    commands: (place, { target }) => [commandLine(place, 'uncordon', target.name)],
    start: ({ target }) => cordon(target, false),
  },
  {
    id: 'drain',
    label: 'Drain',
    icon: Unplug,
    section: 'change',
    fits: isKind('Node'),
    wish: { verb: 'patch' },
    commands: (place, { target }) => [drainCommand(target, place)],
    start: 'drain',
  },
  {
    id: 'taint',
    label: 'Taints',
    icon: Stamp,
    section: 'change',
    fits: isKind('Node'),
    wish: { verb: 'patch' },
    commands: (place, { target }) => [taintCommand(target, 'key=value:NoSchedule', place)],
    start: 'taint',
  },
  ...(['approve', 'deny'] as const).map((verb): ObjectAction => ({
    id: verb,
    label: verb === 'approve' ? 'Approve' : 'Deny',
    icon: verb === 'approve' ? ShieldCheck : ShieldX,
    section: 'change',
    fits: isKind('CertificateSigningRequest'),
    unavailable: ({ object }) =>
      asList(at(object, 'status', 'conditions')).length > 0 ? 'It has been decided already.' : undefined,
    wish: { verb: 'update', subresource: 'approval' },
    commands: (place, { target }) => [commandLine(place, 'certificate', verb, target.name)],
    start: async ({ object }) => {
      const { deciding } = await import('../../access/certificates/signing.ts');
      return perform(deciding(object, verb === 'approve' ? 'Approved' : 'Denied'));
    },
  })),
  {
    id: 'break',
    label: 'Break things',
    icon: TriangleAlert,
    section: 'change',
    fits: isKind('Node', 'Pod'),
    wish: { verb: 'patch' },
    commands: (place, doing) => {
      const [first] = faultsFor(doing.object.kind === 'Node' ? 'Node' : 'Pod');
      return first ? [faultCommand(doing.target, first, initialValue(first.value), place)] : [];
    },
    start: 'break',
  },
  {
    id: 'delete',
    label: 'Delete',
    icon: Trash2,
    section: 'end',
    danger: true,
    fits: () => true,
    wish: { verb: 'delete' },
    commands: (place, { target }) => [deleteCommand(target, {}, place)],
    start: 'delete',
  },
];

/** What can be done with an object, in the order of a menu. */
export const actionsFor = (doing: Doing): readonly ObjectAction[] => objectActions.filter(({ fits }) => fits(doing));
