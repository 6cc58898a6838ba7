export * from './assert.ts';
export * from './bytes.ts';
export * from './clock.ts';
export * from './heap.ts';
export * from './json.ts';
export * from './random.ts';
export * from './wholeResponse.ts';
