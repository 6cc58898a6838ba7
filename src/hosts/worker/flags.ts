import {
  checkFlags,
  describeFlags,
  type ClusterOptions,
  type FlagsCheck,
  type FlagsView,
} from '../../cluster/index.ts';
import { namesOf, type Profile } from '../../names/index.ts';

/** Queries of a page about flags; no cluster has to be open. */
export type FlagsQuestion =
  { readonly ask: 'describe'; readonly naming: Profile } | { readonly ask: 'check'; readonly options: ClusterOptions };

export type FlagsAnswer = FlagsView | FlagsCheck;

export async function answerAboutFlags(question: FlagsQuestion): Promise<FlagsAnswer> {
  return question.ask === 'describe' ? describeFlags(namesOf(question.naming)) : checkFlags(question.options);
}
