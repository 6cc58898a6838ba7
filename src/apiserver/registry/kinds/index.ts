/** The kinds that do more than the generic store does; a file each. */
import type { KindFile } from '../registry.ts';
import { namespaces } from './namespaces.ts';
import { bindings, pods } from './pods.ts';
import { services } from './services.ts';

export const kindFiles: readonly KindFile[] = [bindings, namespaces, pods, services];
