/** `kustomize`: what a folder with a kustomization file makes, without sending it. */
import { command } from '../command/command.ts';
import { CommandError } from '../command/errors.ts';
import { printYaml } from '../output/yaml.ts';
import { buildFolder } from '../server/manifests.ts';

export const kustomize = command({
  name: 'kustomize',
  flags: {},
  run: async ({ args, session }) => {
    const [path = '.', ...more] = args;
    if (more.length > 0) throw new CommandError('Error: specify one path to a kustomization directory');
    const objects = await buildFolder(session, path).catch((error: unknown) => {
      throw new CommandError(`Error: ${error instanceof Error ? error.message : String(error)}`);
    });
    session.out(objects.map(printYaml).join('---\n'));
  },
});
