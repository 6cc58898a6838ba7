/** Metadata: its types, its rules, and the order in which a write is checked. */
export * from './objectMeta.rules.ts';
export * from './checked.ts';
