type Props = { readonly count: number; readonly label: string };

export const CountBadge = ({ count, label }: Props) =>
  count === 0 ? null : (
    <span className="tabular inline-flex h-4 min-w-4 items-center justify-center rounded-sm bg-waiting-soft px-1 text-xs font-medium text-waiting">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {label}</span>
    </span>
  );
