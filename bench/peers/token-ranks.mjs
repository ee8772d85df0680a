/**
 * LangChain downloads the ranks of tokens when it counts them. Measured without a network, they come from the package that
 * LangChain has with it; an app with a network has them after its first count too.
 */
const download = globalThis.fetch;

globalThis.fetch = async (address, ...rest) => {
  const [, name] = /\/js\/(\w+)\.json$/.exec(String(address?.url ?? address)) ?? [];
  if (name === undefined) return download(address, ...rest);
  const { default: ranks } = await import(`js-tiktoken/ranks/${name}`);
  return Response.json(ranks);
};
