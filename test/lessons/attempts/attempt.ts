/**
 * What learners try, by lesson: wrong ways, each with the check that must catch it, and other right ways than the lesson's own. Lines
 * are typed into the terminal after the tasks before were done as the lesson does them.
 */
export interface Attempt {
  /** The task, from 0. */
  readonly task: number;
  readonly what: string;
  /** The check of the task that catches it, from 0; none where it is a right way. */
  readonly caught?: number;
  /** Command lines; `# 900 seconds later` moves the clock. */
  readonly lines: readonly string[];
}

export const wrong = (task: number, caught: number, what: string, ...lines: readonly string[]): Attempt => ({
  ...{ task, caught, what, lines },
});
export const right = (task: number, what: string, ...lines: readonly string[]): Attempt => ({ task, what, lines });

/** Applies a manifest. What begins with a brace would be read as JSON. */
export const yaml = (manifest: string): string => `{ctl} apply -f - <<'END'\n---\n${manifest}\nEND`;

export const someWebPod = '$({ctl} get pods -l app=web -o name | head -n 1)';
