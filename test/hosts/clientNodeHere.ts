/** The field's client for Node, which is no dependency: with what it brings it weighs 72 MB. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The folder of `@kubernetes/client-node`, of its 1.x. */
export const clientNode = process.env['VITRINE_CLIENT_NODE'];

if (clientNode === undefined)
  console.warn('No @kubernetes/client-node here (VITRINE_CLIENT_NODE names its folder): it is not tried.');

/** Everything that `clientNode.mjs` does, in its order. */
export const EVERYTHING = 'create watch informer patch exec port-forward logs errors delete'.split(' ');

/** What it managed with this kubeconfig; rejects with what it said where it did not end well. */
export async function tryClientNode(kubeconfig: string): Promise<readonly string[]> {
  const args = ['test/hosts/clientNode.mjs', clientNode ?? '', kubeconfig];
  const { stdout } = await promisify(execFile)('node', args, { timeout: 60_000 });
  return stdout.trim().split('\n');
}
