/** Computes a temperature: geometric from `initial` to `final`, or linear to 0. Three decimals, equal on every machine. */
export const computeTemperature = (step: number, steps: number, initial: number, final: number): number => {
  const progress = steps <= 1 ? 0 : Math.min(1, step / (steps - 1));
  const value = final > 0 ? initial * (final / initial) ** progress : initial * (1 - progress);

  return Math.round(value * 1_000) / 1_000;
};
