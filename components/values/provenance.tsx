type Props = { readonly sources: readonly string[]; readonly people?: Readonly<Record<string, string>> };

const nameOf = (source: string, people: Readonly<Record<string, string>>): string => {
  if (source.startsWith("file:")) return "a file";
  const id = source.startsWith("user:") ? source.slice(5) : null;
  if (id === null) return source;

  return Object.hasOwn(people, id) ? (people[id] ?? "a person") : "a person";
};

export const Provenance = ({ sources, people = {} }: Props) => {
  if (sources.length === 0) return null;
  const names = [...new Set(sources.map((source) => nameOf(source, people)))];

  return (
    <span className="font-mono text-xs break-words text-faint" title={sources.join("\n")}>
      from {names.join(", ")}
    </span>
  );
};
