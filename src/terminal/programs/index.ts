/** The programs that only the page's terminal has. To add one: write it and list it here, with what `help` says of it. */
import type { Program } from '../../programs/index.ts';
import { clusterctl } from './clusterctl.ts';
import { curl } from './curl.ts';
import { editFile } from './editFile.ts';
import { helpOf, type Described } from './help.ts';
import { jq } from './jq.ts';
import { moveClock } from './moveClock.ts';
import { clear, historyOf, requestsOf } from './page.ts';
import type { Tools } from './tools.ts';
import { watch } from './watch.ts';

export interface OwnProgram extends Described {
  readonly program: Program;
}

/** Every program, in the order of `help`. */
export function ownPrograms(tools: Tools): readonly OwnProgram[] {
  const { surroundings } = tools;
  const { ctl } = surroundings.names;
  const editor = editFile(tools);
  const listed: OwnProgram[] = [
    {
      names: [ctl, 'k'],
      about: `talk to the cluster; “${ctl} --help” lists its commands`,
      program: clusterctl(ctl, tools),
    },
    { names: ['curl'], about: 'send a request to the API server: curl /api/v1/namespaces', program: curl(tools) },
    { names: ['jq'], about: `pick from JSON: ${ctl} get pods -o json | jq -r .items[].metadata.name`, program: jq },
    { names: ['watch'], about: 'run a command every two seconds until Ctrl+C', program: watch(tools) },
    ...(surroundings.edit
      ? [{ names: ['edit', 'vi', 'vim', 'nano'], about: 'change a file in the editor of the page', program: editor }]
      : []),
    ...(surroundings.step
      ? [
          {
            names: ['clock'],
            about: 'show the time in the cluster; “clock 1h” moves it forward',
            program: moveClock(tools),
          },
        ]
      : []),
    { names: ['requests'], about: 'show the requests that the last command made', program: requestsOf(tools) },
    { names: ['history'], about: 'list what was typed; “history -c” forgets it', program: historyOf(tools) },
    { names: ['clear'], about: 'empty the screen', program: clear(tools) },
  ];
  const other = ctl === 'kubectl' ? 'clusterctl' : 'kubectl';
  return [
    ...listed,
    { names: [other], about: `another name for ${ctl}`, program: clusterctl(other, tools) },
    { names: ['help'], about: 'this list', program: helpOf(listed) },
  ];
}
