import type { ReactNode } from "react";

type Props = { readonly title: string; readonly children: ReactNode };

export const Disclosure = ({ title, children }: Props) => (
  <details>
    <summary className="text-sm font-medium">{title}</summary>
    <div className="mt-2 flex flex-col gap-3 border-l-2 pl-3">{children}</div>
  </details>
);
