import { cn } from "@/components/ui/cn";

type Props = {
  readonly values: readonly number[];
  readonly most?: number;
  readonly className?: string;
  readonly describe?: (index: number) => string;
};

const WIDTH = 4;
const GAP = 1;
const HEIGHT = 100;
/** Keeps small values visible. */
const LEAST = 2;

/** Decorative: a table beside it has the numbers. */
export const Bars = ({ values, most = Math.max(...values, 1), className, describe }: Props) => (
  <svg
    aria-hidden
    preserveAspectRatio="none"
    viewBox={`0 0 ${Math.max(1, values.length) * (WIDTH + GAP)} ${HEIGHT}`}
    className={cn("block w-full text-accent", className)}
  >
    {values.map((value, index) => {
      const x = index * (WIDTH + GAP);
      const height = value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT);

      return (
        <g key={x}>
          <rect x={x} width={WIDTH + GAP} height={HEIGHT} className="fill-transparent hover:fill-hover">
            {describe ? <title>{describe(index)}</title> : null}
          </rect>
          <rect x={x} y={HEIGHT - height} width={WIDTH} height={height} className="pointer-events-none fill-current" />
        </g>
      );
    })}
  </svg>
);
