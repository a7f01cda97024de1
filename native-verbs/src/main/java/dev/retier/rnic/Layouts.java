package dev.retier.rnic;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/**
 * The structures of rdma-core's public headers ({@code infiniband/verbs.h}, {@code rdma/rdma_cma.h}) on a 64-bit Linux,
 * as far as they are read or written here; they are part of its binary interface. Fields have the names that they have
 * in C, pointers are longs. Behind a {@code pthread_mutex_t} sizes differ between processors, so nothing behind one is
 * used. Constants only.
 */
final class Layouts {
    /** {@code struct ibv_sge}. */
    static final StructLayout SGE =
            structLayout(JAVA_LONG.withName("addr"), JAVA_INT.withName("length"), JAVA_INT.withName("lkey"));

    /** {@code struct ibv_send_wr}: {@code compare_add} is {@code wr.atomic}'s, and {@code wr.rdma.rkey} lies there. */
    static final StructLayout SEND_WR = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_LONG.withName("next"),
            JAVA_LONG.withName("sg_list"),
            JAVA_INT.withName("num_sge"),
            JAVA_INT.withName("opcode"),
            JAVA_INT.withName("send_flags"),
            JAVA_INT.withName("imm_data"),
            JAVA_LONG.withName("remote_addr"),
            JAVA_LONG.withName("compare_add"),
            JAVA_LONG.withName("swap"),
            JAVA_INT.withName("rkey"),
            paddingLayout(60)); // the rest of the unions wr, qp_type, and bind_mw

    /** {@code struct ibv_recv_wr}. */
    static final StructLayout RECV_WR = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_LONG.withName("next"),
            JAVA_LONG.withName("sg_list"),
            JAVA_INT.withName("num_sge"),
            paddingLayout(4));

    /** {@code struct ibv_wc}. */
    static final StructLayout WC = structLayout(
            JAVA_LONG.withName("wr_id"),
            JAVA_INT.withName("status"),
            JAVA_INT.withName("opcode"),
            JAVA_INT.withName("vendor_err"),
            JAVA_INT.withName("byte_len"),
            JAVA_INT.withName("imm_data"),
            JAVA_INT.withName("qp_num"),
            JAVA_INT.withName("src_qp"),
            JAVA_INT.withName("wc_flags"),
            JAVA_SHORT.withName("pkey_index"),
            JAVA_SHORT.withName("slid"),
            JAVA_BYTE.withName("sl"),
            JAVA_BYTE.withName("dlid_path_bits"),
            paddingLayout(2));

    /** {@code struct ibv_device}, without its names. */
    static final StructLayout DEVICE = structLayout(
            sequenceLayout(2, JAVA_LONG).withName("ops"),
            JAVA_INT.withName("node_type"),
            JAVA_INT.withName("transport_type"));

    /** {@code struct ibv_context}, without what is behind its mutex. */
    static final StructLayout CONTEXT = structLayout(
            JAVA_LONG.withName("device"),
            sequenceLayout(11, JAVA_LONG).withName("ops"),
            JAVA_LONG.withName("poll_cq"),
            JAVA_LONG.withName("req_notify_cq"),
            sequenceLayout(12, JAVA_LONG).withName("compat"),
            JAVA_LONG.withName("post_send"),
            JAVA_LONG.withName("post_recv"),
            sequenceLayout(5, JAVA_LONG).withName("compat_end"),
            JAVA_INT.withName("cmd_fd"),
            JAVA_INT.withName("async_fd"),
            JAVA_INT.withName("num_comp_vectors"),
            paddingLayout(4));

    /** {@code struct ibv_pd}. */
    static final StructLayout PD =
            structLayout(JAVA_LONG.withName("context"), JAVA_INT.withName("handle"), paddingLayout(4));

    /** {@code struct ibv_mr}. */
    static final StructLayout MR = structLayout(
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("pd"),
            JAVA_LONG.withName("addr"),
            JAVA_LONG.withName("length"),
            JAVA_INT.withName("handle"),
            JAVA_INT.withName("lkey"),
            JAVA_INT.withName("rkey"),
            paddingLayout(4));

    /** {@code struct ibv_comp_channel}. */
    static final StructLayout COMP_CHANNEL =
            structLayout(JAVA_LONG.withName("context"), JAVA_INT.withName("fd"), JAVA_INT.withName("refcnt"));

    /** {@code struct ibv_cq}, without what is behind its mutex. */
    static final StructLayout CQ = structLayout(
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("channel"),
            JAVA_LONG.withName("cq_context"),
            JAVA_INT.withName("handle"),
            JAVA_INT.withName("cqe"));

    /** {@code struct ibv_qp}, without what is behind its mutex. */
    static final StructLayout QP = structLayout(
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("qp_context"),
            JAVA_LONG.withName("pd"),
            JAVA_LONG.withName("send_cq"),
            JAVA_LONG.withName("recv_cq"),
            JAVA_LONG.withName("srq"),
            JAVA_INT.withName("handle"),
            JAVA_INT.withName("qp_num"),
            JAVA_INT.withName("state"),
            JAVA_INT.withName("qp_type"));

    /** {@code struct ibv_qp_init_attr}, with its {@code struct ibv_qp_cap}. */
    static final StructLayout QP_INIT_ATTR = structLayout(
            JAVA_LONG.withName("qp_context"),
            JAVA_LONG.withName("send_cq"),
            JAVA_LONG.withName("recv_cq"),
            JAVA_LONG.withName("srq"),
            JAVA_INT.withName("max_send_wr"),
            JAVA_INT.withName("max_recv_wr"),
            JAVA_INT.withName("max_send_sge"),
            JAVA_INT.withName("max_recv_sge"),
            JAVA_INT.withName("max_inline_data"),
            JAVA_INT.withName("qp_type"),
            JAVA_INT.withName("sq_sig_all"),
            paddingLayout(4));

    /** {@code struct ibv_device_attr}. */
    static final StructLayout DEVICE_ATTR = structLayout(
            sequenceLayout(64, JAVA_BYTE).withName("fw_ver"),
            JAVA_LONG.withName("node_guid"),
            JAVA_LONG.withName("sys_image_guid"),
            JAVA_LONG.withName("max_mr_size"),
            JAVA_LONG.withName("page_size_cap"),
            JAVA_INT.withName("vendor_id"),
            JAVA_INT.withName("vendor_part_id"),
            JAVA_INT.withName("hw_ver"),
            JAVA_INT.withName("max_qp"),
            JAVA_INT.withName("max_qp_wr"),
            JAVA_INT.withName("device_cap_flags"),
            JAVA_INT.withName("max_sge"),
            JAVA_INT.withName("max_sge_rd"),
            JAVA_INT.withName("max_cq"),
            JAVA_INT.withName("max_cqe"),
            JAVA_INT.withName("max_mr"),
            JAVA_INT.withName("max_pd"),
            JAVA_INT.withName("max_qp_rd_atom"),
            JAVA_INT.withName("max_ee_rd_atom"),
            JAVA_INT.withName("max_res_rd_atom"),
            JAVA_INT.withName("max_qp_init_rd_atom"),
            JAVA_INT.withName("max_ee_init_rd_atom"),
            JAVA_INT.withName("atomic_cap"),
            sequenceLayout(14, JAVA_INT).withName("others"),
            JAVA_SHORT.withName("max_pkeys"),
            JAVA_BYTE.withName("local_ca_ack_delay"),
            JAVA_BYTE.withName("phys_port_cnt"),
            paddingLayout(4));

    /** {@code struct ibv_port_attr}; the exported function fills all but its last two bytes. */
    static final StructLayout PORT_ATTR = structLayout(
            JAVA_INT.withName("state"),
            JAVA_INT.withName("max_mtu"),
            JAVA_INT.withName("active_mtu"),
            JAVA_INT.withName("gid_tbl_len"),
            JAVA_INT.withName("port_cap_flags"),
            JAVA_INT.withName("max_msg_sz"),
            JAVA_INT.withName("bad_pkey_cntr"),
            JAVA_INT.withName("qkey_viol_cntr"),
            JAVA_SHORT.withName("pkey_tbl_len"),
            JAVA_SHORT.withName("lid"),
            JAVA_SHORT.withName("sm_lid"),
            sequenceLayout(8, JAVA_BYTE).withName("bytes"),
            JAVA_BYTE.withName("link_layer"),
            JAVA_BYTE.withName("flags"),
            JAVA_SHORT.withName("port_cap_flags2"),
            paddingLayout(2));

    /** {@code struct ibv_async_event}. */
    static final StructLayout ASYNC_EVENT =
            structLayout(JAVA_LONG.withName("element"), JAVA_INT.withName("event_type"), paddingLayout(4));

    /** {@code struct rdma_event_channel}. */
    static final StructLayout EVENT_CHANNEL = structLayout(JAVA_INT.withName("fd"));

    /** {@code struct rdma_cm_id}, without what a program of ours has no use for. */
    static final StructLayout CM_ID = structLayout(
            JAVA_LONG.withName("verbs"),
            JAVA_LONG.withName("channel"),
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("qp"),
            sequenceLayout(128, JAVA_BYTE).withName("src_addr"),
            sequenceLayout(128, JAVA_BYTE).withName("dst_addr"),
            sequenceLayout(40, JAVA_BYTE).withName("ibaddr"),
            JAVA_LONG.withName("path_rec"),
            JAVA_INT.withName("num_paths"),
            paddingLayout(4),
            JAVA_INT.withName("ps"),
            JAVA_BYTE.withName("port_num"),
            paddingLayout(3));

    /** {@code struct rdma_conn_param}. */
    static final StructLayout CONN_PARAM = structLayout(
            JAVA_LONG.withName("private_data"),
            JAVA_BYTE.withName("private_data_len"),
            JAVA_BYTE.withName("responder_resources"),
            JAVA_BYTE.withName("initiator_depth"),
            JAVA_BYTE.withName("flow_control"),
            JAVA_BYTE.withName("retry_count"),
            JAVA_BYTE.withName("rnr_retry_count"),
            JAVA_BYTE.withName("srq"),
            paddingLayout(1),
            JAVA_INT.withName("qp_num"),
            paddingLayout(4));

    /** {@code struct rdma_cm_event}, of a connected port space. */
    static final StructLayout CM_EVENT = structLayout(
            JAVA_LONG.withName("id"),
            JAVA_LONG.withName("listen_id"),
            JAVA_INT.withName("event"),
            JAVA_INT.withName("status"),
            CONN_PARAM.withName("conn"));

    /** {@code struct pollfd}. */
    static final StructLayout POLLFD =
            structLayout(JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));

    private Layouts() {}

    /** Where {@code field} begins in {@code struct}. */
    static long at(StructLayout struct, String field) {
        return struct.byteOffset(groupElement(field));
    }

    /** The same for a field of a structure within. */
    static long at(StructLayout struct, String inner, String field) {
        return struct.byteOffset(groupElement(inner), groupElement(field));
    }

    /** Bytes of one. */
    static long size(MemoryLayout struct) {
        return struct.byteSize();
    }
}
