/** A template that cannot be read, or fails while it runs. */
export class TemplateError extends Error {}
