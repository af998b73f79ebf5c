-- AlterTable
ALTER TABLE "graph_version" ADD COLUMN     "revision" INTEGER;
