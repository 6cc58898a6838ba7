/** The images that are known. Any other is a server that runs until it is stopped. To add one: add a line. */
import { endsWith, serves, type Image, type Invocation, type Program } from './program.ts';
import { runCommand } from './shell.ts';

const MB = 1024 * 1024;

/** An image whose own entry point does `own`, unless the container says otherwise. */
function image(size: number, own: (invocation: Invocation) => Program): Image {
  return {
    size: size * MB,
    run: (invocation) =>
      invocation.command.length > 0
        ? runCommand([...invocation.command, ...invocation.args], invocation.env)
        : own(invocation),
  };
}

/** A bare system: what the arguments say, or a shell that has nothing to do. */
const system = (size: number): Image =>
  image(size, ({ args, env }) => runCommand(args.length > 0 ? args : ['sh'], env));

const server = (size: number, ...output: string[]): Image => image(size, () => serves(...output));

/** A database that won't start without being told a password. */
function database(size: number, variables: readonly string[], complaint: string, ready: string): Image {
  return image(size, ({ env }) =>
    variables.some((name) => env[name] !== undefined) ? serves(ready) : endsWith(1, 300, complaint),
  );
}

export const images: Readonly<Record<string, Image>> = {
  nginx: server(54, '/docker-entrypoint.sh: Configuration complete; ready for start up'),
  httpd: server(
    53,
    "AH00558: httpd: Could not reliably determine the server's fully qualified domain name",
    "AH00094: Command line: 'httpd -D FOREGROUND'",
  ),
  redis: server(40, '# oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo', '* Ready to accept connections'),
  memcached: server(32),
  mongo: server(180, 'Waiting for connections'),
  rabbitmq: server(90, 'Server startup complete'),
  traefik: server(35, 'Configuration loaded'),
  node: system(330),
  python: system(330),
  golang: system(290),
  postgres: database(
    115,
    ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD'],
    'Error: Database is uninitialized and superuser password is not specified.',
    'database system is ready to accept connections',
  ),
  mysql: database(
    160,
    ['MYSQL_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD'],
    '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
    'mysqld: ready for connections.',
  ),
  mariadb: database(
    120,
    ['MARIADB_ROOT_PASSWORD', 'MYSQL_ROOT_PASSWORD'],
    '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
    'mysqld: ready for connections.',
  ),
  busybox: system(1),
  alpine: system(3),
  debian: system(50),
  ubuntu: system(29),
  fedora: system(60),
  centos: system(80),
  bash: system(5),
  curl: system(4),
  perl: image(330, () => endsWith(0, 10)),
  pause: server(1),
  echoserver: server(45),
  'hello-world': image(1, () => endsWith(0, 50, 'Hello!', 'This message shows that the container was started.')),
  whalesay: image(90, () => endsWith(0, 200)),
  stress: image(2, () => ({
    exitCode: 137,
    reason: 'OOMKilled',
    runsFor: 1500,
    output: [{ at: 5, text: 'stress: info: dispatching hogs' }],
  })),
};
