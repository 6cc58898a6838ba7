export { mount } from './mount.tsx';
export type * from './host.ts';
export { BootError } from './host.ts';
