/** The images that are known. Any other is simulated by a server. To add one: add a line. */
import { agnhost } from '../agnhost/index.ts';
import type { Program } from '../process.ts';
import { busyServer, echoServer, httpEcho, nautilus, quiet, simulated } from '../servers/echo.ts';
import { coredns } from '../servers/coredns/index.ts';
import { httpd } from '../servers/httpd.ts';
import { nginx } from '../servers/nginx/index.ts';
import { redisCli, redisServer } from '../servers/redis.ts';
import { out } from '../tools/tool.ts';
import { sampleApiServer } from '../servers/sampleApiServer.ts';
import type { Tree } from '../files/index.ts';
import { filled, image, type Image } from './image.ts';
import { base, programs, system } from './layers.ts';

const NGINX_MAIN = `user  nginx;
worker_processes  1;
error_log  /var/log/nginx/error.log warn;
pid        /var/run/nginx.pid;
events { worker_connections  1024; }
http {
    default_type  application/octet-stream;
    access_log  /var/log/nginx/access.log;
    keepalive_timeout  65;
    include /etc/nginx/conf.d/*.conf;
}
`;
const NGINX_DEFAULT = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;
    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }
    error_page   500 502 503 504  /50x.html;
}
`;
const NGINX_PAGE = `<!DOCTYPE html>
<html>
<head><title>Welcome to nginx!</title></head>
<body>
<h1>Welcome to nginx!</h1>
<p>This server is simulated.</p>
</body>
</html>
`;

function nginxFiles(tree: Tree): void {
  tree.program('usr/sbin/nginx', nginx);
  tree.file('etc/nginx/nginx.conf', NGINX_MAIN);
  tree.file('etc/nginx/conf.d/default.conf', NGINX_DEFAULT);
  tree.file('usr/share/nginx/html/index.html', NGINX_PAGE);
  tree.file('usr/share/nginx/html/50x.html', '<html><body><h1>An error occurred.</h1></body></html>\n');
  tree.directory('var/log/nginx');
}

function httpdFiles(tree: Tree): void {
  tree.program('usr/local/apache2/bin/httpd', httpd);
  tree.program('usr/local/bin/httpd-foreground', httpd);
  tree.program('usr/local/bin/httpd', httpd);
  tree.file('usr/local/apache2/htdocs/index.html', '<html><body><h1>It works!</h1></body></html>\n');
  tree.file(
    'usr/local/apache2/conf/httpd.conf',
    'ServerRoot "/usr/local/apache2"\nListen 80\nDocumentRoot "/usr/local/apache2/htdocs"\n',
  );
}

/** The certificate with which tests serve HTTPS. The simulation shows it, and nobody checks its signature. */
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nc2ltdWxhdGVk\n-----END CERTIFICATE-----\n';

function agnhostFiles(tree: Tree): void {
  tree.program('agnhost', agnhost);
  tree.program('agnhost-2', agnhost);
  tree.program('coredns', coredns);
  tree.file('localhost.crt', CERTIFICATE);
  tree.file('localhost.key', '-----BEGIN PRIVATE KEY-----\nc2ltdWxhdGVk\n-----END PRIVATE KEY-----\n');
  tree.directory('uploads');
}

const says =
  (...lines: readonly string[]): Program =>
  async (process) => {
    await out(process, lines.map((line) => `${line}\n`).join(''));
    return 0;
  };

/** Belongs to root and runs as root for every user, unless that is forbidden; prints its user. */
const effectiveUser: Program = async (process) => {
  const { user, system: container } = process;
  await out(process, `Effective uid: ${container.confinement.noNewPrivileges ? user.uid : 0}\n`);
  return 0;
};

/** An image whose only program is its server, with a shell beside it. */
const server = (megabytes: number, program: Program): Image =>
  image(megabytes, {
    entrypoint: ['/usr/local/bin/server'],
    fill: filled(system('debian'), programs('usr/local/bin', { server: program })),
  });

const bare = (megabytes: number, release: 'alpine' | 'busybox' | 'debian', command: readonly string[]): Image =>
  image(megabytes, { command, fill: system(release) });

const database = (megabytes: number, port: number, names: readonly string[], complaint: string, ready: string): Image =>
  server(megabytes, quiet(port, ready, names, complaint));

const agnhostImage = image(45, {
  entrypoint: ['/agnhost'],
  command: ['pause'],
  fill: filled(system('alpine', 'curl', 'dig', 'ss', 'bash'), agnhostFiles),
});
const redisImage = image(40, {
  command: ['redis-server'],
  directory: '/data',
  fill: filled(
    system('debian'),
    programs('usr/local/bin', { 'redis-server': redisServer, 'redis-cli': redisCli }),
    (tree) => void tree.directory('data'),
  ),
});
const pauseImage = image(1, {
  entrypoint: ['/pause'],
  fill: filled(base, programs('', { pause: (process) => process.stay() })),
});

export const images: Readonly<Record<string, Image>> = {
  nginx: image(54, {
    entrypoint: [],
    command: ['nginx', '-g', 'daemon off;'],
    env: { NGINX_VERSION: '1.19.6' },
    fill: filled(system('debian', 'curl'), nginxFiles),
  }),
  httpd: image(53, {
    command: ['httpd-foreground'],
    directory: '/usr/local/apache2',
    env: { HTTPD_PREFIX: '/usr/local/apache2' },
    fill: filled(system('debian'), httpdFiles),
  }),
  redis: redisImage,
  memcached: server(32, quiet(11211, 'memcached is simulated')),
  mongo: server(180, quiet(27017, 'Waiting for connections')),
  rabbitmq: server(90, quiet(5672, 'Server startup complete')),
  traefik: server(35, quiet(80, 'Configuration loaded')),
  node: bare(330, 'debian', ['sh']),
  python: bare(330, 'debian', ['sh']),
  golang: bare(290, 'debian', ['bash']),
  postgres: database(
    115,
    5432,
    ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD'],
    'Error: Database is uninitialized and superuser password is not specified.',
    'database system is ready to accept connections',
  ),
  mysql: database(
    160,
    3306,
    ['MYSQL_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD'],
    '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
    'mysqld: ready for connections.',
  ),
  mariadb: database(
    120,
    3306,
    ['MARIADB_ROOT_PASSWORD', 'MYSQL_ROOT_PASSWORD'],
    '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
    'mysqld: ready for connections.',
  ),
  busybox: bare(1, 'busybox', ['sh']),
  alpine: bare(3, 'alpine', ['/bin/sh']),
  debian: bare(50, 'debian', ['bash']),
  ubuntu: bare(29, 'debian', ['bash']),
  fedora: bare(60, 'debian', ['bash']),
  centos: bare(80, 'debian', ['bash']),
  bash: bare(5, 'debian', ['bash']),
  curl: image(4, { entrypoint: ['curl'], fill: system('alpine', 'curl') }),
  perl: image(330, { command: ['perl'], fill: filled(system('debian'), programs('usr/bin', { perl: says() })) }),
  pause: pauseImage,
  agnhost: agnhostImage,
  'jessie-dnsutils': image(90, { command: ['sleep', '3600'], fill: system('debian', 'curl', 'dig', 'ss') }),
  dnsutils: image(90, { command: ['sleep', '3600'], fill: system('debian', 'curl', 'dig', 'ss') }),
  nautilus: server(50, nautilus('nautilus')),
  kitten: server(50, nautilus('kitten')),
  echoserver: server(45, echoServer),
  'hpa-example': server(180, busyServer),
  nonewprivs: image(2, { entrypoint: ['/nnp'], fill: filled(base, programs('', { nnp: effectiveUser })) }),
  nonroot: image(2, { command: ['id', '-u'], user: 1234, fill: system('busybox') }),
  'http-echo': image(6, { entrypoint: ['/http-echo'], fill: filled(base, programs('', { 'http-echo': httpEcho })) }),
  'hello-world': image(1, {
    entrypoint: ['/hello'],
    fill: filled(base, programs('', { hello: says('Hello!', 'This message shows that the container was started.') })),
  }),
  whalesay: image(90, {
    entrypoint: [],
    command: ['sh'],
    fill: filled(system('debian'), programs('usr/bin', { cowsay: says() })),
  }),
  coredns: image(42, { entrypoint: ['/coredns'], steady: true, fill: filled(base, programs('', { coredns })) }),
  'sample-apiserver': image(25, {
    entrypoint: ['/sample-apiserver'],
    fill: filled(base, programs('', { 'sample-apiserver': sampleApiServer })),
  }),
  etcd: image(90, {
    command: ['/usr/local/bin/etcd'],
    fill: filled(system('debian'), programs('usr/local/bin', { etcd: quiet(2379, 'ready to serve client requests') })),
  }),
  stress: image(2, { entrypoint: ['stress'], fill: system('debian', 'stress') }),
};

/** Any image that isn't in the table. */
export const unknown: Image = image(60, {
  entrypoint: ['/simulated'],
  standIn: simulated,
  fill: filled(system('debian', 'curl', 'ss'), programs('', { simulated })),
});
