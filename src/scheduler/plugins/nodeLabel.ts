import { getOwn } from '../../std/index.ts';
import { ConfigurationError, type Fields } from '../config/fields.ts';
import { MAX_SCORE, plugin, refuseForGood, type Plugin } from '../framework/plugin.ts';

/** Label keys. */
export interface NodeLabelArgs {
  readonly present: readonly string[];
  readonly absent: readonly string[];
  readonly preferPresent: readonly string[];
  readonly preferAbsent: readonly string[];
}

/** Requires or forbids node labels, independently of the pod. */
export const nodeLabelOf = ({ present, absent, preferPresent, preferAbsent }: NodeLabelArgs): Plugin =>
  plugin({
    name: 'NodeLabel',
    isLocal: true,
    weight: 1,
    concerns: () => present.length > 0 || absent.length > 0,
    filter(_, { labels }) {
      const has = (key: string): boolean => getOwn(labels, key) !== undefined;
      return present.every(has) && !absent.some(has)
        ? undefined
        : refuseForGood("node(s) didn't have the requested labels");
    },
    facts: (_, { labels }) =>
      [...present, ...absent].map((label) => ({
        label,
        wanted: present.includes(label) ? 'present' : 'absent',
        found: getOwn(labels, label) ?? '',
        present: getOwn(labels, label) !== undefined,
      })),
    score(_, { labels }) {
      const all = preferPresent.length + preferAbsent.length;
      const met =
        preferPresent.filter((key) => getOwn(labels, key) !== undefined).length +
        preferAbsent.filter((key) => getOwn(labels, key) === undefined).length;
      return all === 0 ? 0 : Math.trunc((met * MAX_SCORE) / all);
    },
  });

export const nodeLabel = nodeLabelOf({ present: [], absent: [], preferPresent: [], preferAbsent: [] });

/** Reads the four lists of labels. A label can't be both required and forbidden. */
export function nodeLabelWith(args: Fields): Plugin {
  const read = {
    present: args.texts('presentLabels'),
    absent: args.texts('absentLabels'),
    preferPresent: args.texts('presentLabelsPreference'),
    preferAbsent: args.texts('absentLabelsPreference'),
  };
  refuseBoth(args, read.present, read.absent);
  refuseBoth(args, read.preferPresent, read.preferAbsent);
  return nodeLabelOf(read);
}

function refuseBoth({ path }: Fields, present: readonly string[], absent: readonly string[]): void {
  const both = absent.find((label) => present.includes(label));
  if (both !== undefined)
    throw new ConfigurationError(`${path}: label "${both}" is in both the present and the absent list`);
}
