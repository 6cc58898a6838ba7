import type { ClusterOptions } from '../../cluster/index.ts';
import type { Answer, Batch, Question } from '../wire/index.ts';
import type { FlagsAnswer, FlagsQuestion } from './flags.ts';

/** A step of opening a cluster, as the start page shows it. */
export interface BootStep {
  readonly step: 'worker' | 'storage' | 'controlPlane' | 'nodes' | 'ready';
  readonly detail?: string;
}

/** Why a cluster could not be opened. */
export interface BootFailure {
  readonly kind: 'damaged' | 'gone' | 'flags' | 'quota' | 'origin' | 'away' | 'other';
  readonly message: string;
}

/** A page's request to a worker without an open cluster: an operation on an unused database. */
export type Chore = 'export' | 'import' | 'repair' | 'remove';

export interface ChoreDetails {
  /** Whether an export has secrets and keys in it. */
  readonly secrets?: boolean;
  /** What is imported, as an export with secrets wrote it. */
  readonly lines?: Blob;
}

/** From the page to its worker. */
export type ToWorker =
  /** `known`: the cluster was opened in this browser before, so its data has to be there. */
  | { readonly type: 'open'; readonly options: ClusterOptions; readonly known: boolean }
  | ({ readonly type: 'chore'; readonly name: string; readonly chore: Chore } & ChoreDetails)
  | { readonly type: 'leave' }
  | { readonly type: 'flags'; readonly id: number; readonly question: FlagsQuestion }
  | Question
  | Batch<Question>;

/** From the worker to its page. */
export type FromWorker =
  | { readonly type: 'step'; readonly step: BootStep }
  | { readonly type: 'opened'; readonly role: 'leader' | 'follower' }
  | { readonly type: 'refused'; readonly failure: BootFailure }
  /** The cluster is gone: this page let go of it, or it was removed elsewhere. */
  | { readonly type: 'left'; readonly reason: string }
  /** A chore is done; an export is its result. */
  | { readonly type: 'done'; readonly result: Blob | string }
  | { readonly type: 'flags'; readonly id: number; readonly answer: FlagsAnswer }
  | Answer
  | Batch<Answer>;
