export * from "arcflux/program";
