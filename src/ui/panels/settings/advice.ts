/** What the host says about flags: what there is, and what a start with the draft would be told. */
import { useEffect, useMemo, useState } from 'preact/compat';
import type { BootOptions, FlagsInfo, FlagsVerdict } from '../../host.ts';
import { theHost } from '../../stores/session.ts';

/** A page without this advice still edits text, and hears at the start what is wrong. */
const ignored = (): void => undefined;

/** The declarations of all flags; undefined until they are there, or for good where the host has none. */
export function useFlags(naming: BootOptions['naming'] = 'cluster.io'): FlagsInfo | undefined {
  const [info, setInfo] = useState<FlagsInfo>();
  useEffect(() => {
    let current = true;
    void theHost()
      .flags?.describe(naming)
      .then((found) => current && setInfo(found), ignored);
    return () => {
      current = false;
    };
  }, [naming]);
  return info;
}

/** Typing is left alone for so long, in milliseconds. */
const PAUSE = 150;

const silent: FlagsVerdict = { problems: [], warnings: [] };

/** What a start with these options would be told, as of the last pause in typing. */
export function useVerdict(options: BootOptions): FlagsVerdict {
  const [verdict, setVerdict] = useState(silent);
  const text = useMemo(() => JSON.stringify(options), [options]);
  useEffect(() => {
    let current = true;
    const check = (): void => {
      void theHost()
        .flags?.check(JSON.parse(text) as BootOptions)
        .then((found) => current && setVerdict(found), ignored);
    };
    const timer = setTimeout(check, PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  return verdict;
}
