// The originals' side of tests/interop: Hadoop's and Spark's own classes, and the course project's
// Java program written down again with Hadoop's MurmurHash and org.json.
//
// Usage: Interop FOLDER
// FOLDER/cases.txt has a line "NAME FPR SEED" for each case; FOLDER/NAME holds keys.tsv (key, tab,
// group), others.txt (one key a line) and ours/, a file for each group in the order of their names
// (pisa-java: ours.json with a line each). For every case this
//   - loads each of our files, looks all of its members up, and writes it again into again/;
//   - asks it about all others, and writes "key<TAB>groups" for those it admits to answers.txt;
//   - builds the same filters by itself, into theirs/.
// Exit status 1 and a message: a member was denied.
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.apache.hadoop.util.hash.MurmurHash;
import org.apache.spark.util.sketch.BloomFilter;
import org.json.JSONObject;

public final class Interop {
  // One filter of an original, whatever its class.
  interface Original {
    void insert(byte[] key);

    boolean mayContain(byte[] key);

    byte[] write() throws IOException;
  }

  // What differs from case to case.
  interface Family {
    Original load(byte[] file) throws IOException;

    // An empty one like `like`, for so many keys.
    Original empty(Original like, String group, long keys);
  }

  // --- Hadoop

  static final class HadoopFilter implements Original {
    final org.apache.hadoop.util.bloom.BloomFilter filter;
    final int[] sizes; // m, k, type of hash

    HadoopFilter(org.apache.hadoop.util.bloom.BloomFilter filter, int[] sizes) {
      this.filter = filter;
      this.sizes = sizes;
    }

    public void insert(byte[] key) {
      filter.add(new Key(key));
    }

    public boolean mayContain(byte[] key) {
      return filter.membershipTest(new Key(key));
    }

    public byte[] write() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      filter.write(new DataOutputStream(bytes));
      return bytes.toByteArray();
    }
  }

  static final class Hadoop implements Family {
    public Original load(byte[] file) throws IOException {
      var filter = new org.apache.hadoop.util.bloom.BloomFilter();
      filter.readFields(new DataInputStream(new ByteArrayInputStream(file)));
      DataInputStream header = new DataInputStream(new ByteArrayInputStream(file));
      header.readInt();
      int k = header.readInt();
      int type = header.readByte();
      return new HadoopFilter(filter, new int[] {header.readInt(), k, type});
    }

    public Original empty(Original like, String group, long keys) {
      int[] sizes = ((HadoopFilter) like).sizes;
      return new HadoopFilter(
          new org.apache.hadoop.util.bloom.BloomFilter(sizes[0], sizes[1], sizes[2]), sizes);
    }
  }

  // --- Spark

  static final class SparkFilter implements Original {
    final BloomFilter filter;
    final boolean areLongs;

    SparkFilter(BloomFilter filter, boolean areLongs) {
      this.filter = filter;
      this.areLongs = areLongs;
    }

    public void insert(byte[] key) {
      String text = new String(key, StandardCharsets.UTF_8);
      if (areLongs) {
        filter.putLong(Long.parseLong(text));
      } else {
        filter.putString(text);
      }
    }

    public boolean mayContain(byte[] key) {
      String text = new String(key, StandardCharsets.UTF_8);
      return areLongs
          ? filter.mightContainLong(Long.parseLong(text))
          : filter.mightContainString(text);
    }

    public byte[] write() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      filter.writeTo(bytes);
      return bytes.toByteArray();
    }
  }

  static final class Spark implements Family {
    final BloomFilter.Version version;
    final double fpr;
    final int seed;
    final boolean areLongs;

    Spark(BloomFilter.Version version, double fpr, int seed, boolean areLongs) {
      this.version = version;
      this.fpr = fpr;
      this.seed = seed;
      this.areLongs = areLongs;
    }

    public Original load(byte[] file) throws IOException {
      return new SparkFilter(BloomFilter.readFrom(new ByteArrayInputStream(file)), areLongs);
    }

    // By its own formula, so that sizes are compared as well.
    public Original empty(Original like, String group, long keys) {
      long bits = BloomFilter.optimalNumOfBits(keys, fpr);
      return new SparkFilter(BloomFilter.create(version, keys, bits, seed), areLongs);
    }
  }

  // --- the course project

  static final class PisaFilter implements Original {
    final BitSet bits;
    final int m;
    final int k;
    final int rating;
    final float p;

    PisaFilter(BitSet bits, int m, int k, int rating, float p) {
      this.bits = bits;
      this.m = m;
      this.k = k;
      this.rating = rating;
      this.p = p;
    }

    int position(byte[] key, int i) {
      int length = new String(key, StandardCharsets.UTF_8).length();
      return Math.abs(MurmurHash.getInstance(Hash.MURMUR_HASH).hash(key, length, i) % m);
    }

    public void insert(byte[] key) {
      for (int i = 0; i < k; i++) bits.set(position(key, i));
    }

    public boolean mayContain(byte[] key) {
      for (int i = 0; i < k; i++) {
        if (!bits.get(position(key, i))) return false;
      }
      return true;
    }

    public byte[] write() {
      StringBuilder hex = new StringBuilder();
      for (byte b : bits.toByteArray()) hex.append(String.format("%02x", b));
      JSONObject line = new JSONObject();
      line.put("rating", rating);
      line.put("m", m);
      line.put("K", k);
      line.put("P", p);
      line.put("bitArray", hex.toString());
      return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }
  }

  static final class Pisa implements Family {
    final float p;

    Pisa(double fpr) {
      p = (float) fpr;
    }

    public Original load(byte[] file) {
      JSONObject line = new JSONObject(new String(file, StandardCharsets.UTF_8));
      String hex = line.getString("bitArray");
      byte[] bytes = new byte[hex.length() / 2];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
      }
      return new PisaFilter(
          BitSet.valueOf(bytes), line.getInt("m"), line.getInt("K"), line.getInt("rating"),
          line.getFloat("P"));
    }

    // By the program's own formula.
    public Original empty(Original like, String group, long keys) {
      int n = (int) keys;
      int m =
          (int) Math.ceil(n * Math.log(p) / Math.log(1 / Math.pow(2, Math.log(2))));
      int k = (int) Math.round(Math.log(2) * m / n);
      return new PisaFilter(new BitSet(m), m, k, Integer.parseInt(group), p);
    }
  }

  // --- cases

  static Family family(String name, double fpr, int seed) {
    boolean areLongs = name.endsWith("-long");
    if (name.startsWith("hadoop")) return new Hadoop();
    if (name.startsWith("pisa-java")) return new Pisa(fpr);
    return name.startsWith("spark-v1")
        ? new Spark(BloomFilter.Version.V1, fpr, 0, areLongs)
        : new Spark(BloomFilter.Version.V2, fpr, seed, areLongs);
  }

  static List<byte[]> lines(Path path) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    byte[] bytes = Files.readAllBytes(path);
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') continue;
      lines.add(java.util.Arrays.copyOfRange(bytes, start, i));
      start = i + 1;
    }
    return lines;
  }

  static Map<String, List<byte[]>> keysByGroup(Path path) throws IOException {
    Map<String, List<byte[]>> groups = new TreeMap<>();
    for (byte[] line : lines(path)) {
      int tab = 0;
      while (line[tab] != '\t') tab++;
      String group = new String(line, tab + 1, line.length - tab - 1, StandardCharsets.UTF_8);
      groups
          .computeIfAbsent(group, name -> new ArrayList<>())
          .add(java.util.Arrays.copyOf(line, tab));
    }
    return groups;
  }

  // Our filters, one for each group: files of a folder, or lines of a file.
  static List<byte[]> ours(Path folder) throws IOException {
    List<byte[]> files = new ArrayList<>();
    if (Files.exists(folder.resolve("ours.json"))) return lines(folder.resolve("ours.json"));
    for (int i = 1; Files.exists(folder.resolve(String.format("ours/%06d.bloom", i))); i++) {
      files.add(Files.readAllBytes(folder.resolve(String.format("ours/%06d.bloom", i))));
    }
    return files;
  }

  static void run(Path folder, String name, Family family) throws IOException {
    Map<String, List<byte[]>> groups = keysByGroup(folder.resolve("keys.tsv"));
    List<byte[]> files = ours(folder);
    if (files.size() != groups.size()) {
      throw new IOException(name + ": " + files.size() + " filters of " + groups.size() + " groups");
    }
    Files.createDirectories(folder.resolve("again"));
    Files.createDirectories(folder.resolve("theirs"));
    List<Original> filters = new ArrayList<>();
    int number = 0;
    for (var group : groups.entrySet()) {
      Original filter = family.load(files.get(number++));
      Original own = family.empty(filter, group.getKey(), group.getValue().size());
      for (byte[] key : group.getValue()) {
        if (!filter.mayContain(key)) {
          throw new IOException(name + ": group " + group.getKey() + " denies a member");
        }
        own.insert(key);
      }
      filters.add(filter);
      String file = String.format("%06d.bloom", number);
      Files.write(folder.resolve("again").resolve(file), filter.write());
      Files.write(folder.resolve("theirs").resolve(file), own.write());
    }
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(folder.resolve("answers.txt")))) {
      List<String> names = new ArrayList<>(groups.keySet());
      for (byte[] key : lines(folder.resolve("others.txt"))) {
        StringBuilder found = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
          if (filters.get(i).mayContain(key)) {
            found.append(found.length() == 0 ? "\t" : ",").append(names.get(i));
          }
        }
        if (found.length() == 0) continue;
        out.write(key);
        out.write(found.toString().getBytes(StandardCharsets.UTF_8));
        out.write('\n');
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    for (String line : Files.readAllLines(folder.resolve("cases.txt"))) {
      String[] words = line.split(" ");
      run(
          folder.resolve(words[0]),
          words[0],
          family(words[0], Double.parseDouble(words[1]), Integer.parseInt(words[2])));
    }
  }

  private Interop() {}
}
