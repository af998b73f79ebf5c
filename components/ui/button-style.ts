import { cva, type VariantProps } from "class-variance-authority";

/** Buttons and links that act as one. */
export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors select-none aria-disabled:cursor-not-allowed aria-disabled:opacity-55 disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent text-on-accent hover:not-aria-disabled:not-disabled:bg-accent-hover",
        secondary: "border-line-strong bg-surface text-ink hover:not-aria-disabled:not-disabled:bg-hover",
        ghost: "border-transparent text-muted hover:not-aria-disabled:not-disabled:bg-hover hover:text-ink",
        danger: "border-refused/40 bg-surface text-refused hover:not-aria-disabled:not-disabled:bg-refused-soft",
      },
      size: {
        sm: "h-7 px-2 text-xs",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-base",
        // On phones, easy to hit with a thumb.
        decision: "h-8 px-3 text-sm max-sm:h-12 max-sm:flex-1",
        icon: "size-7 p-0",
        iconMd: "size-8 p-0",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonStyle = VariantProps<typeof buttonStyle>;
