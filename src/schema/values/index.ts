/** Values that are texts with a grammar of their own: quantities, times, selectors, names, addresses, schedules. */
export * from './apiVersion.ts';
export * from './quantity.ts';
export * from './intOrString.ts';
export * from './duration.ts';
export * from './time.ts';
export * from './names.ts';
export * from './addresses.ts';
export * from './cidrSet.ts';
export * from './cron.ts';
export * from './labelSelector.ts';
export * from './labelSelectorText.ts';
export * from './fieldSelector.ts';
export * from './placement.ts';
