/** Parts of the page whose code is fetched when they are first shown. */
import { useEffect, useState, type ComponentType } from 'preact/compat';
import { Failed } from './Boundary.tsx';
import { Waiting } from './Waiting.tsx';

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>;

/** A component that is there as soon as its code is; until then words stand in its place that it is on its way. */
export type Later<P> = ComponentType<P> & {
  /** Fetches the code before it is shown, where it is certain that it will be. */
  fetch(): void;
};

/**
 * The component that `load` fetches; `what` is said when that takes a while, nothing where it is null. Unlike with Preact's
 * `lazy`, one whose code is there appears at once, without a moment of waiting; and code that can't be fetched is an error to
 * read, with a way to try again.
 */
export function later<P extends object>(load: Load<P>, what: string | null = 'Loading'): Later<P> {
  let Loaded: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;
  const fetch = (): Promise<void> => {
    loading ??= load().then(
      (loaded) => void (Loaded = loaded.default),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Part(props: P) {
    const [, setArrived] = useState(Loaded !== undefined);
    const [problem, setProblem] = useState<string>();
    useEffect(() => {
      if (Loaded || problem !== undefined) return;
      let gone = false;
      fetch().then(
        () => gone || setArrived(true),
        (error: unknown) => gone || setProblem(String(error)),
      );
      return () => void (gone = true);
    }, [problem]);
    if (Loaded) return <Loaded {...props} />;
    if (problem !== undefined) return <Unreachable problem={problem} onRetry={() => setProblem(undefined)} />;
    return what === null ? null : <Waiting what={what} />;
  }
  return Object.assign(Part, { fetch: () => void fetch().catch(() => undefined) });
}

const Unreachable = (given: { readonly problem: string; readonly onRetry: () => void }) => (
  <Failed
    title="This part of the page could not be fetched."
    advice="Look whether the page’s server can be reached."
    {...given}
  />
);
