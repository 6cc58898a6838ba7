/** Runs something again and again, whenever something changed, never twice at a time. */
export interface Loop {
  /** Asks for another round; those that ask while one is under way share the next. */
  wake(): void;
  /** Waits for the current round to end. */
  stop(): Promise<void>;
}

export function createLoop(round: () => Promise<void>): Loop {
  let asked = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (asked && !stopped) {
      asked = false;
      await round();
    }
  };
  const wake = (): void => {
    asked = true;
    if (stopped) return;
    running ??= run().finally(() => {
      running = undefined;
      if (asked) wake();
    });
  };
  return {
    wake,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
