import { cn } from "./cn";

export const Wordmark = ({ className }: { readonly className?: string | undefined }) => (
  <span className={cn("inline-flex items-center gap-2 text-base font-semibold tracking-tight", className)}>
    <svg viewBox="0 0 20 20" fill="none" aria-hidden className="size-5 text-accent">
      <path d="M15.2 4.8A7.25 7.25 0 1 0 17.25 10" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M6.5 10.25l2.75 2.75L17 5.25" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
    Countersign
  </span>
);
