import { encodeText } from '../../std/index.ts';
import { reasonOf, serveHttp, urlOf, type Answer } from '../network/index.ts';
import type { Program } from '../process.ts';
import { formatDate } from '../tools/date.ts';
import { out } from '../tools/tool.ts';
import { staticFile } from './static.ts';

const VERSION = 'Apache/2.4.46 (Unix)';
const CONFIGURATION = '/usr/local/apache2/conf/httpd.conf';

const errorPage = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=iso-8859-1' },
  body: `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${reasonOf(status)}</title>\n</head><body>\n<h1>${reasonOf(status)}</h1>\n</body></html>\n`,
});

/** A web server with a document root; `Listen` and `DocumentRoot` of its configuration are read. */
export const httpd: Program = async (process) => {
  const { files, system } = process;
  const text = files.tryFind(CONFIGURATION) ? files.text(CONFIGURATION) : '';
  const port = Number(/^[ \t]*Listen[ \t]+(?:\S+:)?(\d+)/m.exec(text)?.[1] ?? 80);
  const root = /^[ \t]*DocumentRoot[ \t]+"?([^"\n]+)"?/m.exec(text)?.[1] ?? '/usr/local/apache2/htdocs';
  const name = system.network.addresses[0] ?? '127.0.0.1';
  serveHttp(process, port, async (request, { remote }) => {
    const found = staticFile(process, root, urlOf(request).pathname, ['index.html'], errorPage);
    const when = formatDate('%d/%b/%Y:%T +0000', system.clock.now());
    await out(
      process,
      `${remote.address} - - [${when}] "${request.method} ${request.target} HTTP/${request.version}" ${found.status ?? 200} ${found.body?.length ?? 0}\n`,
    );
    return { ...found, headers: { Server: VERSION, ...found.headers } };
  });
  await process.stderr.write(
    encodeText(
      `AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using ${name}. Set the 'ServerName' directive globally to suppress this message\n`,
    ),
  );
  return process.stay();
};
