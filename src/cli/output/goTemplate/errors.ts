/** A template that cannot be read, or fails while it runs. */
export class TemplateError extends Error {}

/** What failed while a template ran, and what it had written by then. */
export class RunError extends TemplateError {
  readonly written: string;

  constructor(message: string, written: string) {
    super(message);
    this.written = written;
  }
}
