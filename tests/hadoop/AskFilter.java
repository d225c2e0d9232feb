import java.io.DataInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.Key;

/** How many of the lines of a file the filter of another finds, asked by Hadoop's own class. */
public class AskFilter {
  public static void main(String[] arguments) throws Exception {
    BloomFilter filter = new BloomFilter();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(Path.of(arguments[0])))) {
      filter.readFields(in);
      if (in.read() != -1) throw new IllegalStateException("more bytes than a filter has");
    }
    var keys = Files.readAllLines(Path.of(arguments[1]));
    long found = keys.stream()
        .filter(key -> filter.membershipTest(new Key(key.getBytes(StandardCharsets.UTF_8))))
        .count();
    System.out.println(found + " of " + keys.size());
  }
}
