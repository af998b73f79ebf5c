type Page = { readonly cursor?: string | undefined; readonly limit: number };

export const paginate = <T extends { readonly id: string }>(
  all: readonly T[],
  { cursor = "", limit }: Page,
): { items: T[]; nextCursor: string | null } => {
  const rest = all.filter(({ id }) => id > cursor).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const items = rest.slice(0, limit);

  return { items, nextCursor: rest.length > limit ? (items.at(-1)?.id ?? null) : null };
};
