import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ApiReference } from "@/components/help/api-reference";
import { HelpPage } from "@/components/help/help-page";
import { requireSession } from "@/server/trpc/rsc";
import { readHelpPage } from "@/server/web/help";

type Props = { readonly params: Promise<{ readonly page?: string[] }> };

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: (await params).page?.at(-1) === "openapi.json" ? "HTTP API" : "Documentation",
});

const HelpRoute = async ({ params }: Props) => {
  await requireSession();
  const { page = [] } = await params;
  const found = await readHelpPage(page);
  if (!found) notFound();

  return found.file === "reference/openapi.json" ? <ApiReference text={found.text} /> : <HelpPage file={found.file} text={found.text} />;
};

export default HelpRoute;
