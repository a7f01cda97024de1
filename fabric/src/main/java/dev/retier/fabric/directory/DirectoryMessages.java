package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Requests and answers as bytes, big-endian: one octet for the kind, then the fields in the order of their records, of
 * records within them too. So the order of a record's components is the format, and {@code WireTest} pins it.
 *
 * <pre>
 *  long 8 | node 2 | part 2 | key: part 2, address 8, key 4 | permissions 1 | failure 1 | boolean 1
 *  name, detail: length 2, ASCII | list, grants: count 2, elements | what may be absent: 0 or 1 in an octet, it
 * </pre>
 *
 * <p>What does not parse to the last byte gives nothing; no length is believed before it is checked. Stateless.
 */
public final class DirectoryMessages {
    /** The longest message: a report of two records with the most parts and grants, with room to spare. */
    public static final int MAX_BYTES = 8 * 1024;

    private static final int MAX_TEXT = 200;
    private static final int MAX_ELEMENTS = 256;
    private static final int MASK_16 = 0xFFFF;
    private static final int FIRST_REQUEST = 1;
    /** On the wire stands the place in this list, from {@link #FIRST_REQUEST}: add at the end only. */
    private static final List<Class<?>> REQUESTS = List.of(
            RegionRequest.Create.class,
            RegionRequest.LookUp.class,
            RegionRequest.Grant.class,
            RegionRequest.Move.class,
            RegionRequest.Free.class,
            RegionRequest.Report.class,
            RegionRequest.Reported.class,
            RegionRequest.Allocate.class,
            RegionRequest.Seal.class,
            RegionRequest.Fetch.class,
            RegionRequest.Settle.class,
            RegionRequest.Open.class,
            RegionRequest.Close.class,
            RegionRequest.Find.class,
            RegionRequest.Revoke.class);

    private static final int FIRST_ANSWER = 64;
    /** As {@link #REQUESTS}, from {@link #FIRST_ANSWER}. */
    private static final List<Class<?>> ANSWERS = List.of(
            RegionAnswer.Done.class, RegionAnswer.Found.class, RegionAnswer.Keys.class, RegionAnswer.Refused.class);

    /** What is not made of fields. */
    private static final Map<Type, Function<ByteBuffer, Object>> VALUES = Map.of(
            long.class, ByteBuffer::getLong,
            boolean.class, in -> in.get() != 0,
            Integer.class, in -> in.getShort() & MASK_16,
            NodeId.class, in -> new NodeId(in.getShort() & MASK_16),
            Permissions.class, in -> new Permissions(in.get()),
            RegionFailure.class,
                    in -> RegionFailure.ofCode(in.get()).orElseThrow(() -> new IllegalArgumentException("a failure")),
            PartKey.class, in -> new PartKey(in.getShort() & MASK_16, in.getLong(), in.getInt()),
            String.class, DirectoryMessages::parseText);

    private DirectoryMessages() {}

    /** How records of one class are read and made; looked up once, for that takes long. */
    private record Layout(List<RecordComponent> fields, Constructor<?> constructor) {
        private static final ClassValue<Layout> KNOWN = new ClassValue<>() {
            @Override
            protected Layout computeValue(Class<?> type) {
                List<RecordComponent> fields = List.of(type.getRecordComponents());
                Class<?>[] types = fields.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
                try {
                    return new Layout(fields, type.getConstructor(types));
                } catch (NoSuchMethodException impossible) {
                    throw new IllegalStateException(type + " is no public record", impossible);
                }
            }
        };
    }

    /** The bytes of {@code request}, from position to limit. */
    public static ByteBuffer emit(RegionRequest request) {
        return emit(FIRST_REQUEST + REQUESTS.indexOf(request.getClass()), request);
    }

    /**
     * The bytes of {@code answer}, from position to limit.
     *
     * @throws IllegalArgumentException if it does not travel
     */
    public static ByteBuffer emit(RegionAnswer answer) {
        int place = ANSWERS.indexOf(answer.getClass());
        if (place < 0) {
            throw new IllegalArgumentException(answer + " stays where it is");
        }
        return emit(FIRST_ANSWER + place, answer);
    }

    /** The request in {@code bytes}, if it is one. */
    public static Optional<RegionRequest> request(ByteBuffer bytes) {
        return parse(bytes, FIRST_REQUEST, REQUESTS).map(RegionRequest.class::cast);
    }

    /** The answer in {@code bytes}, if it is one. */
    public static Optional<RegionAnswer> answer(ByteBuffer bytes) {
        return parse(bytes, FIRST_ANSWER, ANSWERS).map(RegionAnswer.class::cast);
    }

    private static ByteBuffer emit(int kind, Object message) {
        ByteBuffer out = ByteBuffer.allocate(MAX_BYTES).put((byte) kind);
        put(out, message);
        return out.flip();
    }

    private static void put(ByteBuffer out, Object value) {
        switch (value) {
            case Long number -> out.putLong(number);
            case Boolean flag -> out.put((byte) (flag ? 1 : 0));
            case Integer part -> out.putShort(part.shortValue());
            case NodeId node -> out.putShort((short) node.value());
            case Permissions permissions -> out.put((byte) permissions.bits());
            case RegionFailure failure -> out.put((byte) failure.code());
            case RegionName name -> put(out, name.value());
            case String text -> {
                byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
                int length = Math.min(ascii.length, MAX_TEXT);
                out.putShort((short) length).put(ascii, 0, length);
            }
            case PartKey key ->
                out.putShort((short) key.index()).putLong(key.address()).putInt(key.key());
            case Optional<?> present -> {
                put(out, present.isPresent());
                present.ifPresent(it -> put(out, it));
            }
            case List<?> list -> {
                out.putShort((short) list.size());
                list.forEach(element -> put(out, element));
            }
            case Map<?, ?> map -> {
                out.putShort((short) map.size());
                map.forEach((key, element) -> {
                    put(out, key);
                    put(out, element);
                });
            }
            case Record fields -> {
                for (RecordComponent field : Layout.KNOWN.get(fields.getClass()).fields()) {
                    put(out, valueOf(fields, field));
                }
            }
            default -> throw new IllegalArgumentException(value.getClass() + " has no bytes");
        }
    }

    private static Object valueOf(Record fields, RecordComponent field) {
        try {
            return field.getAccessor().invoke(fields);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(field + " cannot be read", impossible);
        }
    }

    private static Optional<Object> parse(ByteBuffer bytes, int first, List<Class<?>> kinds) {
        try {
            int kind = bytes.get() - first;
            if (kind < 0 || kind >= kinds.size()) {
                return Optional.empty();
            }
            Object parsed = parse(bytes, kinds.get(kind));
            return bytes.hasRemaining() ? Optional.empty() : Optional.of(parsed);
        } catch (BufferUnderflowException | IllegalArgumentException bad) {
            return Optional.empty();
        }
    }

    private static Object parse(ByteBuffer in, Type type) {
        if (type instanceof ParameterizedType many) {
            return parse(in, (Class<?>) many.getRawType(), many.getActualTypeArguments());
        }
        Function<ByteBuffer, Object> value = VALUES.get(type);
        return value == null ? parseFields(in, (Class<?>) type) : value.apply(in);
    }

    private static String parseText(ByteBuffer in) {
        byte[] ascii = new byte[length(in, MAX_TEXT)];
        in.get(ascii);
        return new String(ascii, StandardCharsets.US_ASCII);
    }

    private static Object parse(ByteBuffer in, Class<?> many, Type... elements) {
        if (many == Optional.class) {
            return switch (in.get()) {
                case 0 -> Optional.empty();
                case 1 -> Optional.of(parse(in, elements[0]));
                default -> throw new IllegalArgumentException("neither absent nor present");
            };
        }
        int count = length(in, MAX_ELEMENTS);
        List<Object> list = new ArrayList<>(count);
        Map<Object, Object> map = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            Object first = parse(in, elements[0]);
            if (many == List.class) {
                list.add(first);
            } else {
                map.put(first, parse(in, elements[1]));
            }
        }
        return many == List.class ? list : map;
    }

    private static Object parseFields(ByteBuffer in, Class<?> type) {
        Layout layout = Layout.KNOWN.get(type);
        Object[] values = new Object[layout.fields().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = parse(in, layout.fields().get(i).getGenericType());
        }
        try {
            return layout.constructor().newInstance(values);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalArgumentException("what " + type + " cannot be", refused);
        }
    }

    private static int length(ByteBuffer in, int most) {
        int length = in.getShort() & MASK_16;
        if (length > most) {
            throw new IllegalArgumentException(length + " elements or bytes of text");
        }
        return length;
    }
}
