import type { Resource } from '../../schema/index.ts';
import type { View } from './views.ts';

/** What handlers answer with. */
export type Answer =
  | {
      readonly type: 'object';
      readonly code: number;
      readonly resource: Resource;
      readonly view: (resource: Resource) => View;
    }
  | {
      readonly type: 'list';
      readonly resource: Resource;
      readonly views: (resource: Resource) => readonly View[];
      readonly metadata: Readonly<Record<string, unknown>>;
    }
  /** A document that is no resource: Status, discovery, version. */
  | {
      readonly type: 'document';
      readonly code: number;
      readonly value: object;
      /** Of what is no answer of a resource: whether a router looks at what is accepted, before it is negotiated. */
      readonly router?: boolean;
    }
  | { readonly type: 'response'; readonly response: Response };

/** Answers that are objects of a kind. */
export type ObjectAnswer = Extract<Answer, { type: 'object' | 'list' }>;
