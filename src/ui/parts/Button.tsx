import type { LucideIcon } from 'lucide-preact';
import type { ComponentProps, ReactNode } from 'preact/compat';
import type { Plain } from './attributes.ts';
import { cx } from './cx.ts';
import { Tooltip } from './Tooltip.tsx';
import styles from './Button.module.css';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps extends Omit<Plain<ComponentProps<'button'>>, 'disabled'> {
  readonly look?: Look;
  readonly icon?: LucideIcon;
  /** Why the button can't be used now. It stays focusable, so that everyone can read the reason. */
  readonly unavailable?: string | false | undefined;
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

/** A button with words. */
export function Button({
  look = 'plain',
  icon: Icon,
  unavailable,
  busy,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const blocked = Boolean(unavailable) || busy === true;
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      className={cx(styles.button, styles[look], className)}
      onClick={blocked ? (event) => event.preventDefault() : onClick}
    >
      {Icon && <Icon className={styles.icon} aria-hidden />}
      {children}
    </button>
  );
  return unavailable ? <Tooltip text={unavailable}>{button}</Tooltip> : button;
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: LucideIcon;
  /** What it does; read aloud, and shown on hover. */
  readonly label: string;
  readonly keys?: string;
  readonly pressed?: boolean;
}

/** A button that is only an icon; its label is its tooltip. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  pressed,
  look = 'quiet',
  unavailable,
  busy,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const blocked = Boolean(unavailable) || busy === true;
  return (
    <Tooltip text={unavailable || label} {...(keys ? { keys } : {})}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={blocked || undefined}
        aria-pressed={pressed}
        className={cx(styles.button, styles.square, styles[look], className)}
        onClick={blocked ? (event) => event.preventDefault() : onClick}
      >
        <Icon className={styles.icon} aria-hidden />
      </button>
    </Tooltip>
  );
}
