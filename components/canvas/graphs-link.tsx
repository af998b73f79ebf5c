import Link from "next/link";

export const GraphsLink = () => (
  <Link href="/graphs" className="hover:text-ink">
    Graphs
  </Link>
);
