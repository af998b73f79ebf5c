"use client";

import { PromoteButton, type Promoted } from "@/components/promotion/promote-dialog";
import { Badge } from "@/components/ui/badge";
import type { Environment } from "@/lib/environments/environment";

type Props = {
  readonly version: Promoted & { readonly environments: readonly (Environment & { readonly isLive: boolean })[] };
  /** In order of promotion. */
  readonly environments: readonly Environment[];
  readonly mayNot: string | null;
};

export const VersionPlaces = ({ version, environments, mayNot }: Props) => {
  const isIn = (environment: Environment | undefined): boolean => version.environments.some(({ id }) => id === environment?.id);
  const to = environments.find((environment, at) => at > 0 && isIn(environments[at - 1]) && !isIn(environment));
  if (environments.length < 2) return null;

  return (
    <p className="flex min-h-6 flex-wrap items-center gap-1">
      {version.environments.flatMap(({ id, title, isLive }) => (isLive ? [<Badge key={id}>Live in {title}</Badge>] : []))}
      {to ? <PromoteButton version={version} to={to} mayNot={mayNot} /> : null}
    </p>
  );
};
