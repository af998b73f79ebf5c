/** How much chance a model is given as a search goes on. */

/**
 * Falls from `initial` at step 0 to `final` at the last step: by the same factor each time, or, when it ends at 0, by the
 * same amount. Three decimals, so that it is the same number everywhere.
 */
export const fallingTemperature = (step: number, steps: number, initial: number, final: number): number => {
  const progress = steps <= 1 ? 0 : Math.min(1, step / (steps - 1));
  const value = final > 0 ? initial * (final / initial) ** progress : initial * (1 - progress);

  return Math.round(value * 1_000) / 1_000;
};
