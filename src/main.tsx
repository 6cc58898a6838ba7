/** The page's entry: a host for clusters, the contract with tests and tools, and the page itself. */
import { createPageHost, exposeVitrine } from './hosts/page/index.ts';
import { mount } from './ui/index.ts';

const host = createPageHost();
exposeVitrine(host);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
mount(root, host);
