import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { HelpPage } from "@/components/help/help-page";
import { requireSession } from "@/server/trpc/rsc";
import { readHelpPage } from "@/server/web/help";

export const metadata: Metadata = { title: "Documentation" };

type Props = { readonly params: Promise<{ readonly page?: string[] }> };

const HelpRoute = async ({ params }: Props) => {
  await requireSession();
  const { page = [] } = await params;
  const found = await readHelpPage(page);
  if (!found) notFound();

  return <HelpPage file={found.file} text={found.text} />;
};

export default HelpRoute;
