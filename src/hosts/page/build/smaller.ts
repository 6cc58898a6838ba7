import { getOwn } from '../../../std/index.ts';
import { minify } from 'terser';
import type { Plugin } from 'vite';
import { filesOf } from './parts.ts';

/**
 * Minifies the scripts with which the page and its worker start a second time, which spares one per cent of what a first
 * visit fetches. All others, such as the editor's, are not worth the time that it takes. A build that is not to be minified
 * stays as it is.
 */
export function startsSmaller(): Plugin {
  return {
    name: 'vitrine:starts-smaller',
    apply: ({ build }, { command }) => command === 'build' && build?.minify !== false,
    enforce: 'post',
    async generateBundle(_, bundle) {
      const entries = Object.values(bundle).filter((file) => file.type === 'chunk' && file.isEntry);
      const files = new Set<string>();
      for (const { fileName } of entries) filesOf(fileName, bundle, files);
      for (const name of files) {
        const chunk = getOwn(bundle, name);
        if (chunk?.type !== 'chunk') continue;
        const { code } = await minify(chunk.code, { module: true, compress: { passes: 3, ecma: 2020 } });
        if (code === undefined) throw new Error(`${name} could not be minified`);
        chunk.code = code;
      }
    },
  };
}
