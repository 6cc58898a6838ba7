/**
 * What panels only show: the commands that show the most of it, or why none does. The buttons beside it change what is shown, so they
 * share the command of their view.
 */
import type { ObjectRef } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import { commandLine, commandName, drainCommand, placeOf } from '../object/actions/commands.ts';
import type { OwnWay } from './ownWay.ts';

/** Stands in the legend of the Glass. */
export const glassView =
  'No command does the same: servers do not give out the trace that is drawn here. Events show what components report about objects.';

const ROLLED_OUT = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** A tab of Lifecycle, for what it is about. */
export function lifecycleView(tab: string, target: ObjectRef | undefined): OwnWay {
  if (tab === 'deleting')
    return {
      label: 'Deleting',
      none: 'The page simulates the deletion. A server only says whether it would accept the request: delete with --dry-run=server.',
    };
  if (tab === 'rollout' && target && ROLLED_OUT.includes(target.resource.kind))
    return {
      label: 'Roll-outs',
      commands: () => [rollout(target, 'status', '--watch=false'), rollout(target, 'history')],
      note: 'They show its progress and its revisions. When pods came and went, only the page has recorded.',
    };
  if ((tab === 'rollout' || tab === 'pod') && target)
    return {
      label: target.name,
      commands: () => [commandLine(placeOf(target), 'describe', commandName(target))],
      note: 'It shows the state and the last events. Only the page has recorded what was before.',
    };
  return {
    label: 'What belongs to it',
    none: 'The page compares all objects by owners, selectors and references. An object’s owners are in its YAML.',
  };
}

const rollout = (target: ObjectRef, ...words: readonly [string, ...string[]]): string =>
  commandLine(placeOf(target), 'rollout', words[0], commandName(target), ...words.slice(1));

/** How full nodes are, and who waits. */
export const nodesView: OwnWay = {
  label: 'Scheduling',
  commands: () => {
    const place = { ctl: theCluster().names.ctl, namespace: '' };
    return [
      commandLine(place, 'describe', 'nodes'),
      commandLine(place, 'get', 'pods', '-A', '--field-selector=spec.nodeName='),
    ];
  },
  note: 'They show what nodes have allocated and which pods have no node. The queues are inside the scheduler.',
};

/** One decision: of a pod, or of the pods that a Deployment would make. */
export function decisionView(kind: 'pod' | 'deployment', name: string): OwnWay {
  const [namespace = '', own = ''] = name.split('/');
  if (kind === 'deployment')
    return { label: 'Decision', none: 'The page asks a copy of the scheduler about pods that do not exist yet.' };
  return {
    label: 'Decision',
    commands: () => [commandLine({ ctl: theCluster().names.ctl, namespace }, 'describe', `pod/${own}`)],
    note: 'Its events describe the last attempt in a sentence. Only the scheduler knows each node’s filters and scores.',
  };
}

export const whatIfView: OwnWay = {
  label: 'What if',
  none: 'The page asks a copy of the scheduler. Nothing is sent to the server until you apply the change.',
};

/** What a drain would do. */
export const drainView = (node: string): OwnWay => ({
  label: 'Drain',
  commands: () => [`${drainCommand({ name: node }, { ctl: theCluster().names.ctl, namespace: '' })} --dry-run=server`],
  note: 'A copy of the scheduler decides where the pods would go.',
});

export const controllersView: OwnWay = {
  label: 'Controllers',
  none: 'The page looks into the work queues of the controllers. A server only shows what they wrote, and their events.',
};

export const networkView: OwnWay = {
  label: 'Network',
  none: 'The page works out from services, policies and pods what reaches what. To try one connection, exec into a pod and send it.',
};

export const requestsView: OwnWay = {
  label: 'Requests',
  none: 'Only the page can see and hold the server’s requests. With -v=8 a command prints the requests that it sends.',
};

export const settingsView: OwnWay = {
  label: 'Settings',
  none: 'Components read their flags when they start, and no request changes them.',
};

export const compactionView: OwnWay = {
  label: 'Compact',
  none: 'Only the storage behind the server forgets history; its API has no request for it.',
};
