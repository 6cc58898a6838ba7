import type { Markers } from '../custom/structural.ts';

export interface SchemaOptions {
  readonly markers: Markers;
  readonly allowDefaults: boolean;
  readonly requireKnownTypes: boolean;
  /** Items of sets must be atomic. */
  readonly requireAtomicSets: boolean;
  /** Items of sets and maps, and what identifies them, are never null and always there. */
  readonly requireMapKeys: boolean;
}
