import type { Environment } from "@/lib/environments/environment";

type Placed = { readonly number: number; readonly environments: readonly { readonly id: string }[] };

const isIn = ({ environments }: Placed, place: string): boolean => environments.some(({ id }) => id === place);

export const explainStart = (places: readonly Environment[], versions: readonly Placed[], chosen: string | undefined): string | null => {
  const [newest] = versions;
  const last = places.at(-1);
  if (!newest || !last || chosen === undefined) return null;
  if (!isIn(newest, chosen)) {
    const titles = places.filter(({ id }) => isIn(newest, id)).map(({ title }) => title);

    return titles.length === 0 ? null : `Version ${newest.number} is in ${titles.join(" and ")} only. Promote it to start it here.`;
  }

  return versions.some((version) => isIn(version, last.id)) ? null : `No version is in ${last.title} yet. Promote one to start it there.`;
};
