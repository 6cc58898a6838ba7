import type { Program } from '../process.ts';
import { shell } from '../shell/index.ts';
import { awk } from './awk/index.ts';
import { cat } from './cat.ts';
import { date } from './date.ts';
import { echo } from './echo.ts';
import {
  basename,
  chmod,
  chown,
  cp,
  dirname,
  ln,
  mkdir,
  mktemp,
  mv,
  readlink,
  realpath,
  rm,
  rmdir,
  touch,
  truncate,
} from './fileCommands.ts';
import { grep } from './grep.ts';
import { base64, digest } from './hashes.ts';
import { head, tail } from './head.ts';
import { hexdump, od } from './hexdump.ts';
import { kill, killall } from './kill.ts';
import { dd, stress } from './load.ts';
import { ls } from './ls.ts';
import { dig, getent, nslookup, ping } from './net/dns.ts';
import { curl, wget } from './net/http.ts';
import { ifconfig, ip, sysctl } from './net/interfaces.ts';
import { nc } from './net/nc.ts';
import { netstat, ss } from './net/sockets.ts';
import { printf } from './printf.ts';
import { sed } from './sed/index.ts';
import { stat } from './stat.ts';
import * as system from './system.ts';
import { tar } from './tar.ts';
import { test } from './test.ts';
import * as text from './text.ts';
import { id, whoami } from './users.ts';
import { find, xargs } from './xargs.ts';

/** The usual tools by name, as every image with a shell has them in `/bin`. To add one: write a file and list it here. */
export const tools: Readonly<Record<string, Program>> = {
  ...{ sh: shell, ash: shell, '[': test, test, echo, printf, cat, ls, stat },
  ...{
    mkdir,
    rm,
    rmdir,
    cp,
    mv,
    touch,
    ln,
    readlink,
    realpath,
    chmod,
    chown,
    chgrp: chown,
    mktemp,
    basename,
    dirname,
    truncate,
  },
  ...{ head, tail, grep, egrep: grep, fgrep: grep, sed, awk, find, xargs, tar },
  ...{
    wc: text.wc,
    cut: text.cut,
    tr: text.tr,
    sort: text.sort,
    uniq: text.uniq,
    seq: text.seq,
    tac: text.tac,
    rev: text.rev,
    tee: text.tee,
    yes: text.yes,
  },
  ...{ md5sum: digest, sha1sum: digest, sha256sum: digest, sha512sum: digest, base64 },
  ...{
    env: system.env,
    printenv: system.printenv,
    sleep: system.sleep,
    date,
    hostname: system.hostname,
    uname: system.uname,
    which: system.which,
  },
  ...{
    ps: system.ps,
    pgrep: system.pgrep,
    pkill: killall,
    kill,
    killall,
    id,
    whoami,
    mount: system.mount,
    df: system.df,
    free: system.free,
    dd,
  },
  ...{
    timeout: system.timeout,
    time: system.time,
    watch: system.watch,
    nohup: system.wrapper,
    nice: system.wrapper,
    setsid: system.wrapper,
  },
  ...{
    nproc: system.nproc,
    uptime: system.uptime,
    stty: system.stty,
    tty: system.tty,
    clear: system.clear,
    sync: system.succeed,
    true: system.succeed,
    false: system.refuse,
  },
  ...{ wget, nc, nslookup, getent, ping, ip, ifconfig, netstat, sysctl, hexdump, od },
};

/** Tools that only some images have. */
export const extraTools = { bash: shell, curl, dig, ss, stress } satisfies Readonly<Record<string, Program>>;
