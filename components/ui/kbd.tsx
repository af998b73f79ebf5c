import type { ReactNode } from "react";

export const Kbd = ({ children }: { readonly children: ReactNode }) => (
  <kbd className="inline-flex h-5 max-sm:hidden min-w-5 items-center justify-center rounded-sm bg-sunken px-1 font-mono text-xs text-muted ring-1 ring-line ring-inset">
    {children}
  </kbd>
);
