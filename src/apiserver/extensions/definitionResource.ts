import type { Resource } from '../../schema/index.ts';
import { must } from '../../std/index.ts';
import type { Core } from '../context.ts';

/** The resource of definitions, which every cluster serves. */
export function definitionResource({ names, scheme }: Core): Resource {
  const group = names.fill('apiextensions.{domain}');
  return must(
    scheme.byResource({ group, version: 'v1', resource: 'customresourcedefinitions' }),
    'definitions are served',
  );
}
