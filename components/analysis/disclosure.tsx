import type { ReactNode } from "react";

type Props = { readonly summary: string; readonly children: ReactNode };

export const Disclosure = ({ summary, children }: Props) => (
  <details>
    <summary className="text-xs text-muted hover:text-ink">{summary}</summary>
    <div className="mt-2">{children}</div>
  </details>
);
