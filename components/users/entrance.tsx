import type { ReactNode } from "react";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { Wordmark } from "@/components/ui/wordmark";
import { cn } from "@/components/ui/cn";

type Props = {
  readonly title: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  /** For an alternative. */
  readonly aside?: ReactNode;
};

export const Entrance = ({ title, intro, children, aside }: Props) => (
  <main id="main" className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
    <div className={cn("w-full overflow-hidden rounded-lg border bg-surface", aside ? "max-w-3xl md:grid md:grid-cols-2" : "max-w-md")}>
      <div className="flex flex-col p-8">
        <Wordmark />
        <h1 className="mt-8 text-xl font-semibold">{title}</h1>
        <div className="mt-1 mb-6 text-sm text-muted">{intro}</div>
        {children}
      </div>
      {aside ? <div className="flex flex-col justify-center border-t bg-sunken p-8 md:border-t-0 md:border-l">{aside}</div> : null}
    </div>
    <div className="w-32">
      <ThemeSwitch />
    </div>
  </main>
);

type ExitProps = { readonly href: string; readonly children: string; readonly className?: string };

/** Leaves this layout by a full load: Next's link would keep it, without the shell. */
export const ExitLink = ({ href, children, className }: ExitProps) => (
  <a href={href} className={cn("font-medium text-accent underline underline-offset-2", className)}>
    {children}
  </a>
);
