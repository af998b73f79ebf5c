export type Selection = { readonly selection: "rank" | "tournament" | "roulette"; readonly tournament_size: number };

/** Ranks indices by fitness. */
export const rankFitness = (fitness: readonly number[]): readonly number[] =>
  fitness.map((_, index) => index).toSorted((a, b) => (fitness[b] ?? 0) - (fitness[a] ?? 0) || a - b);

const weighted = (weights: readonly number[], random: () => number): number => {
  const most = Math.max(...weights);
  const shares = weights.map((weight) => (most > 0 ? weight / most : 1));
  let left = random() * shares.reduce((sum, share) => sum + share, 0);
  const found = shares.findIndex((share) => {
    left -= share;

    return left < 0;
  });

  return found < 0 ? shares.length - 1 : found;
};

const tournament = (fitness: readonly number[], size: number, random: () => number): number => {
  const pool = fitness.map((_, index) => index);
  const drawn = Array.from({ length: Math.min(size, pool.length) }, () => pool.splice(Math.floor(random() * pool.length), 1)).flat();

  return drawn.toSorted((a, b) => (fitness[b] ?? 0) - (fitness[a] ?? 0) || a - b)[0] ?? 0;
};

const one = (fitness: readonly number[], { selection, tournament_size: size }: Selection, random: () => number): number => {
  switch (selection) {
    case "tournament":
      return tournament(fitness, size, random);
    case "roulette":
      return weighted(fitness, random);
    case "rank": {
      const order = rankFitness(fitness);

      return (
        order[
          weighted(
            order.map((_, place) => order.length - place),
            random,
          )
        ] ?? 0
      );
    }
    default:
      return selection satisfies never;
  }
};

/** Selects two different indices, or the only one. */
export const selectParents = (fitness: readonly number[], how: Selection, random: () => number): readonly number[] => {
  const first = one(fitness, how, random);
  const others = fitness.map((_, index) => index).filter((index) => index !== first);
  if (others.length === 0) return [first];
  const second = one(
    others.map((index) => fitness[index] ?? 0),
    how,
    random,
  );

  return [first, others[second] ?? first];
};
