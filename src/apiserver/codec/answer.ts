import type { Resource } from '../../schema/index.ts';
import type { View } from './views.ts';

/** The results of handlers. */
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
  /** A document that is not a resource: Status, discovery, version. */
  | {
      readonly type: 'document';
      readonly code: number;
      readonly value: object;
      /** For answers that are not resources: whether a router checks the Accept header before negotiation. */
      readonly router?: boolean;
    }
  | { readonly type: 'response'; readonly response: Response };

/** Answers with objects of a kind. */
export type ObjectAnswer = Extract<Answer, { type: 'object' | 'list' }>;
