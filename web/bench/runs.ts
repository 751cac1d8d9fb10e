const count = 20

/** Takes as many samples as every measurement has, after one that does not count. */
export async function runs(sample: () => Promise<number>): Promise<number[]> {
  await sample()
  const samples: number[] = []
  while (samples.length < count) samples.push(await sample())
  return samples
}
