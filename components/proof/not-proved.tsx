export const NotProved = ({ gaps }: { readonly gaps: readonly string[] }) => (
  <section>
    <h3 className="text-xs font-medium text-muted">What this does not prove</h3>
    <ul className="mt-1 list-disc pl-4 text-xs text-muted">
      {gaps.map((gap) => (
        <li key={gap}>{gap}</li>
      ))}
    </ul>
  </section>
);
